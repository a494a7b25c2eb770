// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Keeps the page's own files, so that it works without a network once it was loaded. The build puts
// their names in.

const version = "VERSION";
const files = ["FILES"];
const name = `turgor-studio-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll(["./", ...files]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (key) => key.startsWith("turgor-studio-") && key !== name;
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(keys.filter(old).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  );
});

// What was kept first: the files of one version belong together.
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === self.location.origin) {
    event.respondWith(
      caches
        .match(event.request, { ignoreSearch: true, cacheName: name })
        .then((kept) => kept ?? fetch(event.request)),
    );
  }
});
