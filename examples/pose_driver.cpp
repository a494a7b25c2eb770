// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights of corrective targets where a game turns the joints: pose_driver DRIVER.json [JOINT X Y Z
// W]... DRIVER.json is what `turgor correctives --driver` wrote; rotations are against the parent
// joint, and joints that are not named are at rest. The core alone is linked.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <turgor/driver.h>
#include <vector>

struct Json { // enough of it to read a driver; use your engine's own
    std::string key, text;
    std::vector<float> numbers; // a list has those of its lists, one after the other
    std::vector<Json> items;    // of a list, or members
    explicit Json(const char*& at)
    {
        at += std::strspn(at, " \t\r\n");
        if (*at == '"') {
            for (++at; *at && *at != '"'; ++at) {
                text += *at == '\\' && at[1] ? *++at : *at;
            }
            at += *at == '"';
        } else if (*at == '[' || *at == '{') {
            bool isObject = *at == '{';
            for (++at; *(at += std::strspn(at, " \t\r\n,")) && !std::strchr("]}", *at);) {
                std::string name = isObject ? Json(at).text : "";
                at += isObject ? std::strspn(at, " \t\r\n:") : 0;
                items.emplace_back(at).key = name;
                const std::vector<float>& own = items.back().numbers;
                numbers.insert(numbers.end(), own.begin(), own.end());
            }
            at += *at != '\0';
        } else {
            char* end = nullptr;
            numbers.push_back(std::strtof(at, &end));
            at = end > at ? end : at + (*at != '\0');
        }
    }
    const Json& operator[](const char* name) const
    {
        for (const Json& item : items) {
            if (item.key == name) {
                return item;
            }
        }
        std::exit((std::fprintf(stderr, "the driver has no \"%s\"\n", name), 1));
    }
};

int main(int argc, char** argv)
{
    std::ifstream file(argc > 1 ? argv[1] : "hero_driver.json", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const char* at = text.c_str();
    const Json root(at);
    std::vector<tgDriverJoint> joints;
    std::vector<tgQuat> rotations; // your animation system has them
    for (const Json& joint : root["joints"].items) {
        const std::vector<float>&q = joint["rest"].numbers, &axis = joint["axis"].numbers;
        joints.push_back({{q[0], q[1], q[2], q[3]}, {axis[0], axis[1], axis[2]}});
        rotations.push_back(joints.back().rest);
        for (int a = 2; a + 4 < argc; a += 5) {
            float* turned = joint["name"].text == argv[a] ? &rotations.back().x : nullptr;
            for (int k = 0; k < 4 && turned; ++k) {
                turned[k] = std::strtof(argv[a + 1 + k], nullptr);
            }
        }
    }
    std::vector<std::vector<float>> kept; // the elements point into them
    std::vector<tgDriverElement> elements;
    for (const Json& of : root["elements"].items) {
        std::vector<float> own = of["joints"].numbers;
        for (const char* key : {"centers", "widths", "coefficients", "biases"}) {
            kept.push_back(of[key].numbers);
        }
        const auto* n = &kept[kept.size() - 4]; // their memory stays where it is
        elements.push_back({int(own.size()),
                            {int(own[0]), int(own.back())},
                            int(of["firstTarget"].numbers.at(0)),
                            int(of["targetCount"].numbers.at(0)),
                            int(of["centers"].items.size()),
                            n[0].data(),
                            n[1].data(),
                            n[2].data(),
                            n[3].data()});
    }
    const std::vector<Json>& targets = root["targets"].items;
    std::vector<float> weights(targets.size());
    tgDriver driver = {int(joints.size()), joints.data(), int(elements.size()), elements.data(),
                       int(weights.size())};
    tgDriver_GetWeights(&driver, rotations.data(),
                        weights.data()); // each frame: it allocates nothing
    for (size_t t = 0; t < weights.size(); ++t) {
        std::printf("%s %.6f\n", targets[t].text.c_str(), double(weights[t]));
    }
}
