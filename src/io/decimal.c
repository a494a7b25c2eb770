// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers between text and binary. Reading rounds correctly by one of three ways: a product or
// quotient of two exact doubles (Clinger 1990); 128 bits over a power of 5 that fits 64; and big
// integers for the rest. Only whole numbers are computed with, so that every machine agrees.

#include "io/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    tg_mostDigits = 19,       ///< that a uint64_t holds whatever they are
    tg_mostBigDigits = 800,   ///< no double needs more than 767 to be told from its neighbours
    tg_exactPower = 22,       ///< 10^22 is a double
    tg_mostPowerOf5 = 27,     ///< 5^27 fits 64 bits
    tg_largestExponent = 310, ///< of ten: beyond this, infinite
    tg_leastExponent = -345,  ///< and below that, zero
    tg_bigSize = 200,         ///< words: 800 digits, or 5^1145, and 64 bits more
};

/// Digits and a power of ten, as they stand in the text.
typedef struct tgDecimal {
    const char* digits; ///< the first that is not 0; a point may stand among them
    const char* digitsEnd;
    uint64_t mantissa; ///< the first 19
    int digitCount;    ///< from the first that is not 0
    int exponent;      ///< of ten, for the last digit
    bool isNegative;
} tgDecimal;

static bool tgIsDigit(const char* at, const char* end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char* tgCutDigits(const char* at, const char* end, tgDecimal* decimal)
{
    for (; tgIsDigit(at, end); ++at) {
        if (decimal->digitCount == 0 && *at == '0') {
            continue;
        }
        decimal->digits = decimal->digitCount == 0 ? at : decimal->digits;
        if (decimal->digitCount < tg_mostDigits) {
            decimal->mantissa = 10 * decimal->mantissa + (uint64_t)(*at - '0');
        }
        decimal->digitCount += 1;
    }
    return at;
}

/// The grammar; returns where the number ends, NULL when it is none.
static const char* tgCutDecimal(const char* at, const char* end, tgDecimal* decimal)
{
    decimal->isNegative = at < end && *at == '-';
    at += decimal->isNegative ? 1 : 0;
    const char* start = at;
    at = tgCutDigits(at, end, decimal);
    if (at == start || (at - start > 1 && *start == '0')) {
        return NULL;
    }
    if (at < end && *at == '.') {
        start = at + 1;
        at = tgCutDigits(start, end, decimal);
        if (at == start) {
            return NULL;
        }
        decimal->exponent = at - start < 1 << 30 ? (int)(start - at) : -(1 << 30);
    }
    decimal->digitsEnd = at;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at += 1;
        bool isNegative = at < end && *at == '-';
        at += at < end && (*at == '-' || *at == '+') ? 1 : 0;
        start = at;
        int written = 0;
        for (; tgIsDigit(at, end); ++at) {
            written = written < 1 << 24 ? 10 * written + (*at - '0') : written;
        }
        if (at == start) {
            return NULL;
        }
        decimal->exponent += isNegative ? -written : written;
    }
    return at;
}

/// top * 2^exponent to the nearest double, ties to even.
/// @param top its highest bit is set
/// @param isMore there is something below the last bit
static double tgRound(uint64_t top, bool isMore, int exponent)
{
    // The last bit of a double is worth at least 2^-1074, which leaves small ones fewer than 53.
    int dropped = exponent + 11 >= -1074 ? 11 : -1074 - exponent;
    if (dropped > 64) {
        return 0.0;
    }
    uint64_t kept = dropped == 64 ? 0 : top >> dropped;
    uint64_t half = (uint64_t)1 << (dropped - 1);
    uint64_t rest = dropped == 64 ? top : top & (2 * half - 1);
    bool isUp = rest > half || (rest == half && (isMore || (kept & 1) != 0));
    return ldexp((double)(kept + (isUp ? 1 : 0)), exponent + dropped);
}

static int tgCountLeadingZeros(uint64_t bits)
{
    int count = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (bits >> (64 - step) == 0) {
            bits <<= step;
            count += step;
        }
    }
    return count;
}

static void tgMultiply(uint64_t a, uint64_t b, uint64_t* high, uint64_t* low)
{
    uint64_t aLow = a & UINT32_MAX, aHigh = a >> 32, bLow = b & UINT32_MAX, bHigh = b >> 32;
    uint64_t lowLow = aLow * bLow, middle = aHigh * bLow + (lowLow >> 32);
    uint64_t other = aLow * bHigh + (middle & UINT32_MAX);
    *high = aHigh * bHigh + (middle >> 32) + (other >> 32);
    *low = other << 32 | (lowLow & UINT32_MAX);
}

/// One half of the quotient: `high` and 32 more bits over the divisor (Knuth 4.3.1, algorithm D).
static uint64_t tgDivideStep(uint64_t* high, uint32_t more, uint64_t divisor)
{
    uint64_t first = divisor >> 32, second = divisor & UINT32_MAX;
    uint64_t quotient = *high / first, rest = *high % first;
    while (quotient > UINT32_MAX || quotient * second > (rest << 32 | more)) {
        quotient -= 1;
        rest += first;
        if (rest > UINT32_MAX) {
            break;
        }
    }
    *high = (*high << 32 | more) - quotient * divisor; // modulo 2^64, which the true rest fits
    return quotient;
}

/// high * 2^64 over the divisor, high < divisor, the divisor's highest bit set.
static uint64_t tgDivide(uint64_t high, uint64_t low, uint64_t divisor, bool* isMore)
{
    uint64_t first = tgDivideStep(&high, (uint32_t)(low >> 32), divisor);
    uint64_t second = tgDivideStep(&high, (uint32_t)low, divisor);
    *isMore = high != 0;
    return first << 32 | second;
}

static uint64_t tgPowerOf5(int exponent)
{
    uint64_t power = 1;
    for (; exponent > 0; --exponent) {
        power *= 5;
    }
    return power;
}

/// mantissa * 10^exponent where 5^|exponent| fits 64 bits: always a normal double.
static double tgScale(uint64_t mantissa, int exponent)
{
    int zeros = tgCountLeadingZeros(mantissa);
    uint64_t high = mantissa << zeros, low = 0;
    if (exponent >= 0) {
        tgMultiply(high, tgPowerOf5(exponent), &high, &low);
        int shift = high != 0 ? tgCountLeadingZeros(high) : 64;
        uint64_t top = shift == 64 ? low : shift == 0 ? high : high << shift | low >> (64 - shift);
        bool isMore = shift < 64 && low << shift != 0;
        return tgRound(top, isMore, exponent - zeros + 64 - shift);
    }
    uint64_t power = tgPowerOf5(-exponent);
    int shift = tgCountLeadingZeros(power);
    power <<= shift;
    int halved = high >= power ? 1 : 0;
    low = halved ? high << 63 : 0;
    high >>= halved;
    bool isMore = false;
    uint64_t top = tgDivide(high, low, power, &isMore);
    int last = tgCountLeadingZeros(top); // 0 or 1
    return tgRound(top << last, isMore, exponent - zeros - 64 + halved + shift - last);
}

// ---- big integers, little words first ----

typedef struct tgBig {
    int count;
    uint32_t words[tg_bigSize];
} tgBig;

static void tgBig_MultiplyAdd(tgBig* big, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < big->count; ++i) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        big->words[big->count++] = (uint32_t)carry;
    }
}

static void tgBig_Shift(tgBig* big, int bits)
{
    int words = bits / 32;
    memmove(big->words + words, big->words, (size_t)big->count * sizeof(uint32_t));
    memset(big->words, 0, (size_t)words * sizeof(uint32_t));
    big->count += words;
    if (bits % 32 != 0) {
        tgBig_MultiplyAdd(big, (uint32_t)1 << bits % 32, 0);
    }
}

static int tgBig_CountBits(const tgBig* big)
{
    return 32 * big->count + 32 - tgCountLeadingZeros(big->words[big->count - 1]);
}

static bool tgBig_IsLess(const tgBig* a, const tgBig* b)
{
    if (a->count != b->count) {
        return a->count < b->count;
    }
    for (int i = a->count - 1; i >= 0; --i) {
        if (a->words[i] != b->words[i]) {
            return a->words[i] < b->words[i];
        }
    }
    return false;
}

/// a - b, which is not less.
static void tgBig_Subtract(tgBig* a, const tgBig* b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        uint64_t word = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
        a->words[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    while (a->count > 0 && a->words[a->count - 1] == 0) {
        a->count -= 1;
    }
}

/// All digits; of those past the most that can matter it counts only whether one is not 0.
static void tgBig_ReadDigits(tgBig* big, const tgDecimal* decimal, int* exponent)
{
    int read = 0;
    for (const char* at = decimal->digits; at < decimal->digitsEnd; ++at) {
        if (*at == '.') {
            continue;
        }
        if (read == tg_mostBigDigits) {
            while (at < decimal->digitsEnd && (*at == '0' || *at == '.')) {
                at += 1;
            }
            tgBig_MultiplyAdd(big, 10, at < decimal->digitsEnd ? 1 : 0);
            *exponent += decimal->digitCount - tg_mostBigDigits - 1;
            return;
        }
        tgBig_MultiplyAdd(big, 10, (uint32_t)(*at - '0'));
        read += 1;
    }
}

/// The longest way, which is always right: big * 10^exponent.
static double tgScaleBig(const tgDecimal* decimal)
{
    int exponent = decimal->exponent;
    tgBig over = {0}, under = {1, {1}};
    tgBig_ReadDigits(&over, decimal, &exponent);
    for (int i = 0; i < exponent; ++i) {
        tgBig_MultiplyAdd(&over, 5, 0);
    }
    for (int i = 0; i > exponent; --i) {
        tgBig_MultiplyAdd(&under, 5, 0);
    }
    // Shifted so that the quotient lies between 1/2 and 2; then bit after bit.
    int shift = tgBig_CountBits(&under) - tgBig_CountBits(&over);
    tgBig_Shift(shift > 0 ? &over : &under, shift > 0 ? shift : -shift);
    if (tgBig_IsLess(&over, &under)) {
        tgBig_Shift(&over, 1);
        shift += 1;
    }
    uint64_t top = 0;
    for (int bit = 63; bit >= 0; --bit) {
        if (!tgBig_IsLess(&over, &under)) {
            tgBig_Subtract(&over, &under);
            top |= (uint64_t)1 << bit;
        }
        tgBig_Shift(&over, 1);
    }
    return tgRound(top, over.count > 0, exponent - shift - 63);
}

static double tgGetMagnitude(const tgDecimal* decimal)
{
    static const double powers[tg_exactPower + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    };
    if (decimal->digitCount == 0) {
        return 0.0;
    }
    int exponent = decimal->exponent;
    long long highest = (long long)exponent + decimal->digitCount;
    if (highest > tg_largestExponent || highest < tg_leastExponent) {
        return highest > 0 ? HUGE_VAL : 0.0;
    }
    if (decimal->digitCount <= tg_mostDigits) {
        uint64_t mantissa = decimal->mantissa;
        if (mantissa <= (uint64_t)1 << 53 && exponent >= -tg_exactPower &&
            exponent <= tg_exactPower) {
            return exponent < 0 ? (double)mantissa / powers[-exponent]
                                : (double)mantissa * powers[exponent];
        }
        if (exponent >= -tg_mostPowerOf5 && exponent <= tg_mostPowerOf5) {
            return tgScale(mantissa, exponent);
        }
    }
    return tgScaleBig(decimal);
}

const char* tgReadDecimal(const char* at, const char* end, double* value)
{
    tgDecimal decimal = {0};
    const char* after = tgCutDecimal(at, end, &decimal);
    if (after != NULL) {
        double magnitude = tgGetMagnitude(&decimal);
        *value = decimal.isNegative ? -magnitude : magnitude;
    }
    return after;
}

int tgWriteDecimal(double value, int digits, char text[tg_decimalSize])
{
    // The C library rounds well; only its point depends on the locale, and the exponent's width on
    // the system. So take the digits and set them anew.
    char raw[64], written[20];
    snprintf(raw, sizeof(raw), "%.*e", digits - 1, fabs(value));
    int count = 0;
    const char* at = raw;
    for (; *at != 'e'; ++at) {
        if (*at >= '0' && *at <= '9') {
            written[count++] = *at;
        }
    }
    int exponent = 0;
    for (const char* digit = at + 2; *digit != '\0'; ++digit) {
        exponent = 10 * exponent + (*digit - '0');
    }
    exponent = at[1] == '-' ? -exponent : exponent;
    while (count > 1 && written[count - 1] == '0') {
        count -= 1;
    }
    char* out = text;
    if (signbit(value)) {
        *out++ = '-';
    }
    bool isShort = exponent >= -4 && exponent < digits;
    int point = isShort ? exponent + 1 : 1; // digits before it
    if (point <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (int i = point; i < 0; ++i) {
            *out++ = '0';
        }
    }
    for (int i = 0; i < count || i < point; ++i) {
        if (i == point && point > 0) {
            *out++ = '.';
        }
        *out++ = i < count ? written[i] : '0';
    }
    if (!isShort) {
        out += snprintf(out, 8, "e%d", exponent);
    } else if (count <= point) {
        *out++ = '.';
        *out++ = '0';
    }
    *out = '\0';
    return (int)(out - text);
}
