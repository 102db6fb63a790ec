/* The picture of sentences on spheres: { panels, circles, pairs, scale }. */

import { hosted } from "../shared/hosts.js";
import { ConeView } from "./view.js";

export default hosted({ name: "cone", show: (root) => new ConeView(root), state: "report" });
