/* The component that shows sentences on spheres: { panels, circles, pairs, scale }. */

import { component } from "../shared/component.js";
import { ConeView } from "./view.js";

export default component(".cone", "report", (root) => new ConeView(root));
