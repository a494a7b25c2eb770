// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Eight floats as two tgF4, for backends that are four wide. Included by their headers, which
// define the tgF4 operations first, among them tgF4_Div, tgF4_Sqrt, tgF4_Max, tgF4_Min,
// tgF4_AnyLess, tgF4_SpreadX to W, tgF4_Yzx and tgF4_Transpose.
#ifndef TURGOR_CORE_SIMD_PAIR_H
#define TURGOR_CORE_SIMD_PAIR_H

typedef struct tgF8 {
    tgF4 low, high;
} tgF8;

static inline tgF8 tgF8_Make(tgF4 low, tgF4 high)
{
    tgF8 r = {low, high};
    return r;
}

static inline tgF8 tgF8_LoadAny(const float* from)
{
    return tgF8_Make(tgF4_LoadAny(from), tgF4_LoadAny(from + 4));
}

static inline tgF8 tgF8_LoadPair(const float* low, const float* high)
{
    return tgF8_Make(tgF4_Load(low), tgF4_Load(high));
}

static inline tgF8 tgF8_Load(const float* from)
{
    return tgF8_LoadPair(from, from + 4);
}

static inline tgF8 tgF8_LoadU16(const uint16_t* from)
{
    return tgF8_Make(tgF4_LoadU16(from), tgF4_LoadU16(from + 4));
}

static inline void tgF8_StorePair(float* low, float* high, tgF8 a)
{
    tgF4_Store(low, a.low);
    tgF4_Store(high, a.high);
}

static inline void tgF8_Store(float* to, tgF8 a)
{
    tgF8_StorePair(to, to + 4, a);
}

static inline tgF8 tgF8_Splat(float s)
{
    return tgF8_Make(tgF4_Splat(s), tgF4_Splat(s));
}

#define TG_PAIRWISE(operation)                                                                     \
    static inline tgF8 tgF8_##operation(tgF8 a, tgF8 b)                                            \
    {                                                                                              \
        return tgF8_Make(tgF4_##operation(a.low, b.low), tgF4_##operation(a.high, b.high));        \
    }
TG_PAIRWISE(Add)
TG_PAIRWISE(Sub)
TG_PAIRWISE(Mul)
TG_PAIRWISE(Div)
TG_PAIRWISE(Max)
TG_PAIRWISE(Min)
#undef TG_PAIRWISE

static inline bool tgF8_AnyLess(tgF8 a, tgF8 b)
{
    return tgF4_AnyLess(a.low, b.low) || tgF4_AnyLess(a.high, b.high);
}

static inline tgF8 tgF8_Sqrt(tgF8 a)
{
    return tgF8_Make(tgF4_Sqrt(a.low), tgF4_Sqrt(a.high));
}

static inline tgF8 tgF8_LoadXY(const float* from)
{
    tgF4 a = tgF4_Load(from);
    return tgF8_Make(tgF4_SpreadX(a), tgF4_SpreadY(a));
}

static inline tgF8 tgF8_LoadZW(const float* from)
{
    tgF4 a = tgF4_Load(from);
    return tgF8_Make(tgF4_SpreadZ(a), tgF4_SpreadW(a));
}

static inline tgF4 tgF8_AddHalves(tgF8 a)
{
    return tgF4_Add(a.low, a.high);
}

static inline tgF8 tgF8_Yzx(tgF8 a)
{
    return tgF8_Make(tgF4_Yzx(a.low), tgF4_Yzx(a.high));
}

static inline void tgF8_TransposeHalves(tgF8* a, tgF8* b, tgF8* c, tgF8* d)
{
    tgF4_Transpose(&a->low, &b->low, &c->low, &d->low);
    tgF4_Transpose(&a->high, &b->high, &c->high, &d->high);
}

static inline tgF8 tgF8_JoinLow(tgF8 a, tgF8 b)
{
    return tgF8_Make(a.low, b.low);
}

static inline tgF8 tgF8_JoinHigh(tgF8 a, tgF8 b)
{
    return tgF8_Make(a.high, b.high);
}

typedef tgF4 tgPart;
enum { tg_partCount = 2 };
#define TG_PART(operation) tgF4_##operation

static inline tgPart tgPart_Gather(const float* from, const int* at)
{
    return tgF4_Load(from + at[0]);
}

static inline tgF4 tgPart_AddHalves(tgPart first, tgPart last)
{
    return tgF4_Add(first, last);
}

#endif
