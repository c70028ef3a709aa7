import { type Box, boxOf, type Camera, fitting, moved, zoomedAt } from "./camera";
import { type Marks, paintMarks } from "./overlay";
import { type Drawn, NEAR, paint, type Scene } from "./painter";
import { Pointing, type PointingEvents } from "./pointing";

export interface StageEvents extends PointingEvents {
  /** What is drawn has changed. */
  onDrawn(drawn: Drawn): void;
  /** The camera has moved; where things are on the screen is not what it was. */
  onCamera(): void;
}

/** A picture that takes longer than this is not drawn anew for every frame: its last drawing is moved. */
const QUICK_MS = 7;
const RESTS_AFTER_MS = 140;
/** How far beyond the screen a slow picture is drawn, so that there is something to move in. */
const BEYOND = 0.25;
const FLIGHT_MS = 400;
const NO_MARKS: Marks = {
  hover: null,
  hoverEdge: null,
  node: null,
  edge: null,
  link: null,
  fresh: new Map(),
};

interface Layer {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

/** Two drawings to fade between, marks before them, and the camera in front of it all. */
export class Stage {
  camera: Camera = { x: 0, y: 0, k: 1 };
  width = 0;
  height = 0;
  private scene: Scene | null = null;
  private marks: Marks = NO_MARKS;
  private readonly layers: readonly [Layer, Layer];
  private readonly over: Layer;
  private front = 0;
  private painted: Camera = this.camera;
  private margin = { x: 0, y: 0 };
  private cost = 0;
  private drawn: Drawn = { nodes: 0, thinned: null };
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private isStale = false;
  // A drawing may take no time at all, by the clock of a browser.
  private wasPainted = false;
  private isUntouched = true;
  private shows = 0;
  private flight: { from: Camera; to: Camera; since: number } | null = null;
  private readonly pointing: Pointing;
  private readonly resizing: ResizeObserver;
  private readonly stillness = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    readonly host: HTMLElement,
    private readonly events: StageEvents,
  ) {
    this.layers = [layerIn(host), layerIn(host)];
    this.over = layerIn(host);
    this.pointing = new Pointing(host, this, events);
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(host);
    this.resize();
  }

  /** Shows a scene; with `fade`, what was shown before fades into it over so many milliseconds. */
  show(scene: Scene, fade = 0): void {
    const isFirst = this.scene === null;
    this.scene = scene;
    this.shows += 1;
    if (fade > 0 && !isFirst) this.cross(fade);
    else this.stale();
  }

  get shownScene(): Scene | null {
    return this.scene;
  }

  get isSlow(): boolean {
    return this.cost > QUICK_MS;
  }

  /** Whether nothing was shown on it before this. */
  get isFresh(): boolean {
    return this.shows <= 1;
  }

  /** Whether what is shown has been drawn. */
  get isDrawn(): boolean {
    return this.scene !== null && this.wasPainted && !this.isStale;
  }

  mark(marks: Partial<Marks>): void {
    this.marks = { ...this.marks, ...marks };
    this.schedule();
  }

  /** Looks through another camera, at once. */
  look(camera: Camera): void {
    this.camera = camera;
    this.flight = null;
    this.isUntouched = false;
    this.moveOrPaint();
  }

  /** Flies to another camera. */
  fly(to: Camera): void {
    if (this.stillness.matches) {
      this.look(to);
      return;
    }
    this.isUntouched = false;
    this.flight = { from: this.camera, to, since: performance.now() };
    this.schedule();
  }

  /** The camera that sees all that is shown. */
  whole(): Camera {
    return fitting(this.box(), this.width, this.height);
  }

  /** Shows everything, unless somebody has chosen what to look at. */
  settle(): void {
    if (this.isUntouched && this.width > 0) {
      this.look(this.whole());
      this.isUntouched = true;
    }
  }

  /** Shows everything, whatever was looked at before. */
  lookAnew(): void {
    this.isUntouched = true;
    this.settle();
  }

  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.look(zoomedAt(this.camera, factor, x, y, this.whole().k));
  }

  pan(dx: number, dy: number): void {
    this.look(moved(this.camera, dx, dy));
  }

  /** Brings a node into the middle, unless it is in sight. */
  seek(node: number): void {
    const { x, y } = this.at(node);
    const isInSight = x > 60 && y > 60 && x < this.width - 60 && y < this.height - 60;
    if (isInSight && this.camera.k >= 0.3) return;
    const graph = this.scene?.graph;
    if (!graph) return;
    const k = Math.max(this.camera.k, 0.8);
    this.fly({
      k,
      x: this.width / 2 - (graph.x[node] as number) * k,
      y: this.height / 2 - (graph.y[node] as number) * k,
    });
  }

  /** Where a node is on the screen, from the corner of the picture. */
  at(node: number): { x: number; y: number } {
    const graph = this.scene?.graph;
    if (!graph) return { x: 0, y: 0 };
    return {
      x: (graph.x[node] as number) * this.camera.k + this.camera.x,
      y: (graph.y[node] as number) * this.camera.k + this.camera.y,
    };
  }

  /** Puts a node elsewhere, as long as somebody drags it. */
  drag(node: number, x: number, y: number): void {
    const graph = this.scene?.graph;
    if (!graph) return;
    graph.x[node] = (x - this.camera.x) / this.camera.k;
    graph.y[node] = (y - this.camera.y) / this.camera.k;
    this.mark({ hover: node });
    if (!this.isSlow) this.stale();
  }

  /** Draws anew what is said, if anything is said from where one looks. */
  resay(): void {
    if (this.drawn.nodes <= NEAR) this.stale();
  }

  /** Draws everything anew with the next frame. */
  stale(): void {
    this.isStale = true;
    this.schedule();
  }

  close(): void {
    this.pointing.close();
    this.resizing.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    for (const { canvas } of [...this.layers, this.over]) canvas.remove();
  }

  private box(): Box | null {
    if (!this.scene) return null;
    const { graph, shown } = this.scene;
    return boxOf(graph.x, graph.y, graph.radius, shown);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth === this.width && clientHeight === this.height) return;
    const isFirst = this.width === 0;
    this.width = clientWidth;
    this.height = clientHeight;
    sized(this.over, this.width, this.height, 0, 0, pixels());
    if (isFirst && this.scene) this.settle();
    // What is looked at must not end up behind what has been opened beside it.
    else if (this.marks.node !== null && this.scene?.shown[this.marks.node]) this.seek(this.marks.node);
    this.stale();
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.next(now));
  }

  private next(now: number): void {
    this.frame = 0;
    if (this.flight) this.goOn(now);
    if (this.isStale) this.repaint();
    if (!this.scene) return;
    const context = this.over.context;
    const { camera, width, height, marks } = this;
    const goesOn = paintMarks(context, this.scene, camera, width, height, marks, now, this.stillness.matches);
    if (goesOn || this.flight) this.schedule();
  }

  private goOn(now: number): void {
    if (!this.flight) return;
    const { from, to, since } = this.flight;
    const share = Math.min(1, (now - since) / FLIGHT_MS);
    const eased = 1 - (1 - share) ** 3;
    const k = from.k * (to.k / from.k) ** eased;
    const whole = to.k - from.k;
    // The path on which the middle of the screen moves straight in the world.
    const part = Math.abs(whole) < 1e-9 ? eased : (k - from.k) / whole;
    this.camera = { k, x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    if (share >= 1) {
      this.camera = to;
      this.flight = null;
    }
    this.moveOrPaint();
  }

  private moveOrPaint(): void {
    this.events.onCamera();
    if (!this.isSlow) {
      this.stale();
      return;
    }
    const scale = this.camera.k / this.painted.k;
    const x = this.camera.x - this.painted.x * scale;
    const y = this.camera.y - this.painted.y * scale;
    (this.layers[this.front] as Layer).canvas.style.transform = `translate(${x}px,${y}px) scale(${scale})`;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.stale(), RESTS_AFTER_MS);
    this.schedule();
  }

  private repaint(): void {
    this.isStale = false;
    if (!this.scene || this.width === 0) return;
    const layer = this.layers[this.front] as Layer;
    const { canvas, context } = layer;
    const beyond = this.isSlow ? BEYOND : 0;
    this.margin = { x: Math.round(this.width * beyond), y: Math.round(this.height * beyond) };
    const { x, y } = this.margin;
    sized(layer, this.width + 2 * x, this.height + 2 * y, -x, -y, this.isSlow ? 1 : pixels());
    canvas.style.transform = "";
    canvas.style.transformOrigin = `${x}px ${y}px`;
    const start = performance.now();
    const camera = moved(this.camera, x, y);
    this.drawn = paint(context, this.scene, camera, this.width + 2 * x, this.height + 2 * y);
    this.cost = performance.now() - start;
    this.wasPainted = true;
    this.painted = this.camera;
    this.events.onDrawn(this.drawn);
    this.schedule();
  }

  /** Draws into the other layer, and lets the two change places slowly. */
  private cross(milliseconds: number): void {
    const before = this.layers[this.front] as Layer;
    this.front = 1 - this.front;
    const after = this.layers[this.front] as Layer;
    this.repaint();
    const easing = milliseconds > 250 ? "ease-out" : "ease-in";
    after.canvas.style.transition = before.canvas.style.transition = "none";
    after.canvas.style.opacity = "0";
    void after.canvas.offsetWidth;
    after.canvas.style.transition = before.canvas.style.transition = `opacity ${milliseconds}ms ${easing}`;
    after.canvas.style.opacity = "1";
    before.canvas.style.opacity = "0";
  }
}

const pixels = (): number => Math.min(2, window.devicePixelRatio || 1);

function layerIn(host: HTMLElement): Layer {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.position = "absolute";
  canvas.style.pointerEvents = "none";
  host.append(canvas);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no canvas");
  return { canvas, context };
}

function sized(
  { canvas, context }: Layer,
  width: number,
  height: number,
  left: number,
  top: number,
  ratio: number,
): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.style.left = `${left}px`;
  canvas.style.top = `${top}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
