// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frame of a game without its window: engine_loop FILE [SETTINGS.json]
//
// The engine owns the clock, the joints, the morph weights, the threads and the vertex buffer,
// which is interleaved and has more in it than Turgor writes. Turgor is asked once per frame and
// allocates nothing there. Two characters share one rig, each with an instance of its own.

#include <turgor/io.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// ---- what an engine has already ----

/// As the GPU has it: 32 bytes.
struct Vertex {
    float position[3];
    float normal[3];
    float uv[2];
};

/// Threads that wait for a loop to run. A piece is whatever index is next; who takes it does not
/// show in the result.
class JobSystem {
  public:
    explicit JobSystem(int threadCount)
    {
        for (int i = 1; i < threadCount; ++i) {
            threads_.emplace_back([this] { Work(); });
        }
    }

    ~JobSystem()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            isOver_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    /// A tgParallelForFcn; `user` is the job system.
    static void ParallelFor(tgRangeFcn* range, int count, int minRange, void* context, void* user)
    {
        static_cast<JobSystem*>(user)->Run(range, count, minRange > 0 ? minRange : 1, context);
    }

  private:
    struct Job {
        tgRangeFcn* range;
        int count, step;
        void* context;
        std::atomic<int> next{0};
        int workers = 0; ///< threads in it, under the mutex
    };

    static void Drain(Job& job)
    {
        for (int begin; (begin = job.next.fetch_add(job.step)) < job.count;) {
            int end = job.count - begin < job.step ? job.count : begin + job.step;
            job.range(begin, end, job.context);
        }
    }

    void Run(tgRangeFcn* range, int count, int step, void* context)
    {
        if (count <= step || threads_.empty()) {
            range(0, count, context);
            return;
        }
        Job job{range, count, step, context};
        std::unique_lock<std::mutex> lock(mutex_);
        job_ = &job;
        generation_ += 1;
        lock.unlock();
        wake_.notify_all();
        Drain(job);
        lock.lock();
        job_ = nullptr; // nobody enters it from here on
        done_.wait(lock, [&job] { return job.workers == 0; });
    }

    void Work()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        for (unsigned seen = 0;;) {
            wake_.wait(lock, [&] { return isOver_ || (job_ != nullptr && generation_ != seen); });
            if (isOver_) {
                return;
            }
            seen = generation_;
            Job& job = *job_;
            job.workers += 1;
            lock.unlock();
            Drain(job);
            lock.lock();
            job.workers -= 1;
            done_.notify_one();
        }
    }

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    Job* job_ = nullptr;
    unsigned generation_ = 0;
    bool isOver_ = false;
};

// ---- what Turgor adds ----

template <typename T> using Owned = std::unique_ptr<T, void (*)(T*)>;

/// One character on stage.
class Character {
  public:
    Character(const tgScene* scene, const tgRig* rig, JobSystem* jobs, tgError* error)
        : scene_(scene), instance_(nullptr, tgDestroyInstance),
          vertices_(size_t(scene->vertexCount)), shape_(size_t(scene->vertexCount)),
          nodes_(size_t(scene->nodeCount)), joints_(size_t(scene->jointCount)),
          morphs_(size_t(scene->morphCount) + 1)
    {
        tgInstanceDef def = tgDefaultInstanceDef();
        def.parallelFor = jobs != nullptr ? JobSystem::ParallelFor : nullptr;
        def.parallelUser = jobs;
        instance_.reset(tgCreateInstance(rig, &def, error));
        for (int v = 0; v < scene->vertexCount && scene->uvs != nullptr; ++v) { // once: they stay
            vertices_[size_t(v)].uv[0] = scene->uvs[2 * v];
            vertices_[size_t(v)].uv[1] = scene->uvs[2 * v + 1];
        }
    }

    bool IsGood() const
    {
        return instance_ != nullptr;
    }

    /// The engine's frame.
    /// @param smile 0 to 1, for every morph target: a game would set each by name
    /// @param place where the game puts the character, for flesh that lags behind
    tgResult Update(double time, float step, float smile, tgVec3 place, tgError* error)
    {
        tgScene_SamplePose(scene_, 0, time, nodes_.data(), joints_.data(), morphs_.data());
        tgMat34 modelToWorld = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, place};
        tgPose pose = tgDefaultPose();
        pose.joints = joints_.data();
        pose.jointCount = scene_->jointCount;
        pose.time = float(time);
        pose.timeStep = step;
        pose.modelToWorld = &modelToWorld;
        if (scene_->morphCount > 0) {
            morphs_.assign(morphs_.size(), smile);
            tgScene_SampleShape(scene_, morphs_.data(), shape_.data());
            pose.shapePositions = {&shape_[0].x, scene_->vertexCount, sizeof(tgVec3)};
        }
        tgVec3Span positions = {vertices_[0].position, scene_->vertexCount, sizeof(Vertex)};
        tgVec3Span normals = {vertices_[0].normal, scene_->vertexCount, sizeof(Vertex)};
        return tgInstance_Deform(instance_.get(), &pose, positions, normals, error);
    }

    const std::vector<Vertex>& GetVertices() const
    {
        return vertices_;
    }
    uint64_t GetHash() const
    {
        return tgInstance_GetStateHash(instance_.get());
    }
    tgVolumeReport MeasureVolume()
    {
        return tgInstance_MeasureVolume(instance_.get());
    }

  private:
    const tgScene* scene_;
    Owned<tgInstance> instance_;
    std::vector<Vertex> vertices_;
    std::vector<tgVec3> shape_;
    std::vector<tgMat34> nodes_, joints_;
    std::vector<float> morphs_;
};

int main(int argc, char** argv)
{
    const char* file = argc > 1 ? argv[1] : "hero.glb";
    tgError error = {};
    Owned<tgScene> scene(tgLoadScene(file, &error), tgDestroyScene);
    Owned<tgSettings> settings(scene && argc > 2 ? tgLoadSettings(argv[2], scene.get(), &error)
                                                 : nullptr,
                               tgDestroySettings);
    bool isLoaded = scene && (settings || argc < 3);
    Owned<tgRig> rig(isLoaded ? tgScene_CreateRig(scene.get(), settings.get(), &error) : nullptr,
                     tgDestroyRig);
    if (!rig) {
        std::fprintf(stderr, "%s: %s\n", file, error.message);
        return 1;
    }
    JobSystem jobs(4);
    Character hero(scene.get(), rig.get(), &jobs, &error),
        twin(scene.get(), rig.get(), nullptr, &error);
    if (!hero.IsGood() || !twin.IsGood()) {
        std::fprintf(stderr, "%s: %s\n", file, error.message);
        return 1;
    }
    double time = 0.0, worst = 0.0;
    for (int frame = 0; frame < 120; ++frame) {
        float step = frame % 3 == 0 ? 1.0f / 60.0f : 1.0f / 90.0f; // as vsync has it
        time += double(step);
        float smile = 0.5f + 0.5f * std::sin(2.0f * float(time));
        tgVec3 place = {0.1f * float(frame), 0.0f, 0.0f};
        if (hero.Update(time, step, smile, place, &error) != tg_success ||
            twin.Update(time, step, smile, place, &error) != tg_success) {
            std::fprintf(stderr, "%s: frame %d: %s\n", file, frame, error.message);
            return 1;
        }
        if (hero.GetHash() != twin.GetHash()) { // four threads and one give the same bits
            std::fprintf(stderr, "%s: frame %d differs between the twins\n", file, frame);
            return 1;
        }
        tgVolumeReport volume = hero.MeasureVolume();
        double off = volume.target > 0.0 ? std::fabs(volume.result / volume.target - 1.0) : 0.0;
        worst = off > worst ? off : worst;
        // Here an engine copies hero.GetVertices() to the GPU, or has Turgor write into mapped
        // memory.
    }
    std::printf("%zu vertices, 120 frames, volume off by %.1e at most\n", hero.GetVertices().size(),
                worst);
}
