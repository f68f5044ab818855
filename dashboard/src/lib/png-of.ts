/** Draws an SVG as a PNG. The width and height are in pixels. */
export async function pngOf(svg: Blob, width: number, height: number): Promise<Blob> {
  const image = new Image(width, height);
  image.src = URL.createObjectURL(svg);
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (png) => (png === null ? reject(new Error("The image could not be drawn.")) : resolve(png)),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
