/* A wall in a notebook; what is selected and picked becomes the widget's values. */

import { Wall } from "../wall/wall.js";
import { rootIn } from "./cell.js";

/** @import { Cell } from "./types" */

/** @param {Cell} cell */
function render({ model, el }) {
  const wall = new Wall(rootIn({ model, el }, "wall"));
  const tell = () => {
    const { selected, picked } = wall.view;
    model.set(
      "selected",
      [...selected.keys()].filter((row) => selected[row]),
    );
    model.set("picked", picked?.row ?? null);
    model.save_changes();
  };
  const show = () => wall.load(bytesOf(/** @type {DataView} */ (model.get("payload"))), tell);
  show();
  model.on("change:payload", show);
  return () => {
    model.off("change:payload", show);
    wall.close();
  };
}

/** @param {DataView} view */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export default { render };
