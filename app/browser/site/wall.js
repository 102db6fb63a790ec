/* A wall as a page of its own, whose payload lies in the page. */

import { Wall } from "../wall/wall.js";
import { mounted } from "./mount.js";

mounted(".wall", (root) => {
  const wall = new Wall(root);
  const text = document.getElementById("payload")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
  return () => wall.load(bytes, () => {});
});
