// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pictures: meshes drawn in soft studio light by our own rasteriser, labels, and PNG files. The
// same input gives the same pixels on every machine.
//
//     tgPicture* picture = tgCreatePicture(640, 480, tgMakeColor(0xffffff), &error);
//     tgCameraDef cameraDef = tgDefaultCameraDef();
//     tgDrawDef def = tgDefaultDrawDef();
//     tgFrameCamera(&cameraDef, mesh.positions, &def.camera, &error);
//     def.meshes = &mesh;
//     def.meshCount = 1;
//     tgPicture_DrawMeshes(picture, &def, &error);
//     tgPicture_SavePng(picture, "mesh.png", &error);
#ifndef TURGOR_DRAW_PICTURE_H
#define TURGOR_DRAW_PICTURE_H

#include "draw/camera.h"
#include "turgor/base.h"
#include "turgor/math.h"

/// Linear light, 0 to 1, and opacity. Not premultiplied, except inside a picture.
typedef struct tgColor {
    float r, g, b, a;
} tgColor;

/// An opaque colour from its usual sRGB number: 0xRRGGBB.
tgColor tgMakeColor(unsigned int rgb);

/// Linear light; what is drawn last lies on top.
typedef struct tgPicture {
    int width, height;
    tgColor* pixels; ///< rows from the top, premultiplied by opacity
} tgPicture;

enum { tg_maxPictureSide = 16384 };

/// NULL on failure. A background of opacity 0 gives a PNG with transparency.
tgPicture* tgCreatePicture(int width, int height, tgColor background, tgError* error);
void tgDestroyPicture(tgPicture* picture); ///< NULL is fine
/// Copies all pixels of one picture into another, the top left corner to (x, y); what would lie
/// outside is left out.
void tgPicture_Paste(tgPicture* picture, const tgPicture* from, int x, int y);

/// One surface in one colour, or with a colour for each vertex. The parts of a character are
/// several of these over the same positions, each with its own range of faces.
typedef struct tgDrawMesh {
    tgVec3View positions;
    tgVec3View normals;          ///< unit; data NULL: made from the faces
    const tgColor* vertexColors; ///< NULL: all `color`; opacity is not used
    tgColor color;
    const int* faceSizes;    ///< corners of each face, convex polygons; NULL: all triangles
    const int* faceVertices; ///< corners of all faces, counter-clockwise seen from outside
    int faceCount;
    bool wireframe; ///< draw the edges of the faces over them, quads as quads
    bool ghost;     ///< drawn as glass over all that is not
    bool twoSided; ///< its back is skin too, as an ear's; else it is red: the surface is inside out
} tgDrawMesh;

/// Start from tgDefaultDrawDef().
typedef struct tgDrawDef {
    const tgDrawMesh* meshes; ///< they hide and shadow each other
    int meshCount;
    tgCamera camera;
    tgRect viewport;        ///< nothing is drawn outside; all zero: the whole picture
    bool lit;               ///< false shows the bare colours, for maps of values; true
    float clarity;          ///< how far light is kept off colours that stand for values, [0, 1]; 0
    bool ground;            ///< a soft shadow on the ground; needs lit; true
    float groundHeight;     ///< y of the ground; NAN: the lowest vertex; NAN
    int lightCount;         ///< directions tried for shadow and occlusion, 0 to 4096, 0: none; 320
    float wireframeWidth;   ///< pixels, 0 to 16; 1
    tgColor wireframeColor; ///< black at opacity 0.45
    tgParallelForFcn* parallelFor; ///< NULL: the calling thread does it all; same pixels for any
    void* parallelUser;
    int cookie; ///< set by tgDefaultDrawDef, not by you
} tgDrawDef;

tgDrawDef tgDefaultDrawDef(void);

/// On failure the picture stays as it was; where memory ran out, parts may be drawn.
tgResult tgPicture_DrawMeshes(tgPicture* picture, const tgDrawDef* def, tgError* error);

typedef enum tgAlign { tg_alignLeft, tg_alignCenter, tg_alignRight } tgAlign;

/// Start from tgDefaultTextDef().
typedef struct tgTextDef {
    const char* text; ///< ASCII, one line; anything else shows as an empty box
    float x, y;       ///< pixels; the text stands on y
    float size;       ///< pixels from one line to the next, capitals are 0.7 of it; 18
    float weight;     ///< stroke width over size; 0.09, bold from 0.13
    tgAlign align;    ///< which part of the text is at x; left
    tgColor color;    ///< a dark grey
    int cookie;       ///< set by tgDefaultTextDef, not by you
} tgTextDef;

tgTextDef tgDefaultTextDef(void);
tgResult tgPicture_DrawText(tgPicture* picture, const tgTextDef* def, tgError* error);
float tgMeasureText(const char* text, float size); ///< width in pixels

/// Parts outside the picture are left out.
void tgPicture_FillRect(tgPicture* picture, tgRect rect, tgColor color);

/// The picture as sRGB bytes, red, green, blue, opacity (not premultiplied).
/// @param bytes 4 * width * height
void tgPicture_GetBytes(const tgPicture* picture, unsigned char* bytes);

/// The PNG in memory.
/// @param bytes from malloc, for the caller to free; NULL on failure
tgResult tgPicture_EncodePng(const tgPicture* picture, unsigned char** bytes, size_t* size,
                             tgError* error);

/// Written to a temporary name beside the target and renamed. Messages do not repeat the path.
tgResult tgPicture_SavePng(const tgPicture* picture, const char* path, tgError* error);

#endif
