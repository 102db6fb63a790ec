/* The component that shows a wall. */

import { component } from "../shared/component.js";
import { Wall } from "./wall.js";

export default component(".wall", "report", (root) => new Wall(root));
