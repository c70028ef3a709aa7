/** How the world is seen: a point stands at `x * k + this.x` on the screen. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export const FARTHEST = 0.1;
export const NEAREST = 5;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Zooms by a factor; what is under the point stays there. A graph too large for the range may be seen whole. */
export function zoomedAt(camera: Camera, factor: number, x: number, y: number, farthest = FARTHEST): Camera {
  const k = Math.min(NEAREST, Math.max(Math.min(FARTHEST, farthest), camera.k * factor));
  const by = k / camera.k;
  return { k, x: x - (x - camera.x) * by, y: y - (y - camera.y) * by };
}

export const moved = (camera: Camera, dx: number, dy: number): Camera => ({
  k: camera.k,
  x: camera.x + dx,
  y: camera.y + dy,
});

/** Names stand below the nodes, mostly broader than these, and want some room, too. */
const besideOf = (width: number): number => Math.min(96, width * 0.1);
const aboveOf = (height: number): number => Math.min(72, height * 0.07);
const FITTED_MOST = 1.4;

/** The whole of a box in the middle of the screen. */
export function fitting(box: Box | null, width: number, height: number): Camera {
  if (!box) return { k: 1, x: width / 2, y: height / 2 };
  const k = Math.min(
    FITTED_MOST,
    (width - 2 * besideOf(width)) / Math.max(1, box.right - box.left),
    (height - 2 * aboveOf(height)) / Math.max(1, box.bottom - box.top),
  );
  const safe = Math.max(0.005, k);
  return {
    k: safe,
    x: width / 2 - ((box.left + box.right) / 2) * safe,
    y: height / 2 - ((box.top + box.bottom) / 2) * safe,
  };
}

/** The part of the world that is on the screen. */
export const viewOf = (camera: Camera, width: number, height: number): Box => ({
  left: -camera.x / camera.k,
  top: -camera.y / camera.k,
  right: (width - camera.x) / camera.k,
  bottom: (height - camera.y) / camera.k,
});

/** Where all that is shown stands. */
export function boxOf(x: Float32Array, y: Float32Array, radius: Float32Array, shown: Uint8Array): Box | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let node = 0; node < x.length; node++) {
    if (!shown[node]) continue;
    const r = radius[node] as number;
    left = Math.min(left, (x[node] as number) - r);
    right = Math.max(right, (x[node] as number) + r);
    top = Math.min(top, (y[node] as number) - r);
    bottom = Math.max(bottom, (y[node] as number) + r);
  }
  return left === Infinity ? null : { left, top, right, bottom };
}
