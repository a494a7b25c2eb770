# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""PNG files read back, with nothing but the standard library."""

import struct
import zlib
from pathlib import Path

from cli_helper import check, check_equal

GRID = (24, 18)


class Picture:
    """The pixels of a PNG: rows of (red, green, blue, opacity), 0 to 255."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        check_equal(data[:8], b"\x89PNG\r\n\x1a\n", "PNG signature")
        at, packed = 8, b""
        while at < len(data):
            size, kind = struct.unpack_from(">I4s", data, at)
            packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
            at += 12 + size
        self.width, self.height, depth, color = struct.unpack_from(">IIBB", data, 16)
        check(depth == 8 and color in (2, 6), f"PNG of depth {depth} and colour type {color}")
        self.channels = 4 if color == 6 else 3
        self.rows = self.unfilter(zlib.decompress(packed))

    def unfilter(self, data):
        step, stride = self.channels, self.channels * self.width
        rows, above = [], bytearray(stride)
        for y in range(self.height):
            kind = data[y * (stride + 1)]
            row = bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                if kind == 1:
                    row[i] = (row[i] + left) & 255
                elif kind == 2:
                    row[i] = (row[i] + above[i]) & 255
                elif kind == 3:
                    row[i] = (row[i] + (left + above[i]) // 2) & 255
                elif kind == 4:
                    corner = above[i - step] if i >= step else 0
                    guess = left + above[i] - corner
                    near = min((left, above[i], corner), key=lambda v: abs(guess - v))
                    row[i] = (row[i] + near) & 255
            rows.append(row)
            above = row
        return rows

    def get(self, x, y):
        pixel = tuple(self.rows[y][self.channels * x:self.channels * (x + 1)])
        return pixel if self.channels == 4 else pixel + (255,)

    def get_brightness(self, x, y):
        r, g, b, a = self.get(x, y)
        return (a * (3 * r + 6 * g + b) / 10 + (255 - a) * 255) / 255  # over white

    def get_grid(self):
        """Mean brightness of the cells of a small grid, in whole numbers."""
        columns, rows = GRID
        sums, counts = [0.0] * (columns * rows), [0] * (columns * rows)
        for y in range(self.height):
            for x in range(self.width):
                cell = y * rows // self.height * columns + x * columns // self.width
                sums[cell] += self.get_brightness(x, y)
                counts[cell] += 1
        return [round(total / count) for total, count in zip(sums, counts)]

    def find_box(self, background=(255, 255, 255, 255), tolerance=60):
        """The part that is clearly no background: left, top, right, bottom."""
        seen = [(x, y) for y in range(self.height) for x in range(self.width)
                if sum(abs(a - b) for a, b in zip(self.get(x, y), background)) > tolerance]
        check(seen, "the picture is empty")
        xs, ys = [x for x, _ in seen], [y for _, y in seen]
        return min(xs), min(ys), max(xs), max(ys)
