// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers between text and binary, the same on every machine and under every locale.
#ifndef TURGOR_IO_DECIMAL_H
#define TURGOR_IO_DECIMAL_H

/// The number of JSON (RFC 8259) that starts at `at`: no plus, no leading zero or point, nothing
/// hexadecimal.
/// @param value the nearest double, ties to even; infinite when it is too large for one
/// @return where it ends; NULL when none starts here
const char* tgReadDecimal(const char* at, const char* end, double* value);

enum { tg_decimalSize = 32 };

/// As many significant digits, without zeros at the end; always with a point or an exponent, so
/// that it reads as no whole number. 17 digits give the same double again, 9 the same float.
/// @param value finite
/// @param digits 1 to 17
/// @return the length
int tgWriteDecimal(double value, int digits, char text[tg_decimalSize]);

#endif
