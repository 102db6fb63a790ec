/* The wall as a PNG file: titles, rows, rings and legend at twice the size of the screen. */

import { make } from "./dom.js";
import { drawRings } from "./overlay.js";

const RATIO = 2;
const MARGIN = 16;

/** Save the scene as it is selected and coloured now. */
export function savePicture(scene, lit) {
  const drawn = document.createElement("canvas");
  const layout = scene.layoutFor(scene.layout.width, true);
  scene.paint(drawn, layout, RATIO);
  drawRings(drawn.getContext("2d"), scene, { lit, hovered: null });
  framed(drawn, scene.theme.background).toBlob((blob) => {
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: "wall.png" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }, "image/png");
}

function framed(drawn, background) {
  const canvas = document.createElement("canvas");
  canvas.width = drawn.width + 2 * RATIO * MARGIN;
  canvas.height = drawn.height + 2 * RATIO * MARGIN;
  const context = canvas.getContext("2d");
  context.fillStyle = `rgb(${background.join(" ")})`;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, RATIO * MARGIN, RATIO * MARGIN);
  return canvas;
}
