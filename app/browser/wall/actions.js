/* What the controls above the panes do to a wall. */

import { grouped } from "../shared/dom.js";
import { homeCamera } from "./camera.js";
import { savePicture } from "./picture.js";
import { count, REPLACE } from "./selection.js";

/** @import { Actions } from "./controls.js" */
/** @import { Wall } from "./wall.js" */

/** Return what the controls call. @param {Wall} wall @returns {Actions} */
export function actionsOn(wall) {
  return {
    setMode(mode) {
      wall.change({ mode });
      wall.showControls();
    },
    setLinked: (linked) => wall.change({ linked }),
    setNamed(named) {
      wall.change({ named });
      wall.draw();
    },
    setColumn(column) {
      wall.change({ column });
      wall.scene.colourRows();
      wall.showAll();
    },
    setSize(size) {
      wall.change({ size });
      wall.draw();
    },
    resetAll() {
      const { cameras, dims } = wall.view;
      wall.change({ cameras: cameras.map(() => homeCamera(dims)) });
      wall.showAll();
    },
    clear: () => wall.clear(),
    save: () => savePicture(wall.scene, wall.lit),
    search: (text, isExpression) => search(wall, text, isExpression),
  };
}

/** @param {Wall} wall @param {string} text @param {boolean} isExpression */
function search(wall, text, isExpression) {
  wall.change({ search: { text, isExpression } });
  if (!text) {
    wall.search.stop();
    wall.clear();
    return;
  }
  wall.controls.say("Searching");
  wall.search.start(wall.scene.data, text, isExpression, ({ rows, problem }) => {
    if (rows) wall.select(rows, REPLACE, { text, isExpression });
    wall.controls.say(rows ? `${grouped(count(rows))} found` : problem);
  });
}
