/* A wall as a page of its own, whose payload lies in the page. */

import { Wall } from "../wall/wall.js";
import { mounted, payload } from "./mount.js";

mounted(".wall", (root) => {
  const wall = new Wall(root);
  const bytes = payload();
  return () => wall.load(bytes, () => {});
});
