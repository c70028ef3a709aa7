import { FAR } from "./painter";
import { edgeAt, isOnRim, nodeAt } from "./picking";
import type { Stage } from "./stage";

export type Target =
  | { kind: "node"; place: number }
  | { kind: "edge"; place: number }
  | { kind: "ground"; x: number; y: number };

export interface PointingEvents {
  onHover(target: Target | null, x: number, y: number): void;
  onChoose(target: Target): void;
  onOpen(node: number): void;
  onMenu(target: Target, x: number, y: number): void;
  /** A node was put elsewhere, in the world's own measure. */
  onMoved(node: number, x: number, y: number): void;
  onRelate(source: number, target: number): void;
}

type Doing =
  | { kind: "pan"; x: number; y: number }
  | { kind: "drag"; node: number; from: { x: number; y: number } }
  | { kind: "link"; from: number }
  | { kind: "pinch"; distance: number; x: number; y: number };

const A_CLICK_PX = 4;
const TWICE_MS = 350;
const HELD_MS = 550;

/** What hands and mice do on the picture: choose, open, drag, relate, pan, zoom, pinch, hold. */
export class Pointing {
  private doing: Doing | null = null;
  private began = { x: 0, y: 0, hasMoved: false };
  private clicked = { node: -1, at: 0 };
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private holding: ReturnType<typeof setTimeout> | undefined;
  private readonly stop = new AbortController();

  constructor(
    private readonly host: HTMLElement,
    private readonly stage: Stage,
    private readonly events: PointingEvents,
  ) {
    const { signal } = this.stop;
    host.addEventListener("pointerdown", (event) => this.down(event), { signal });
    host.addEventListener("pointermove", (event) => this.move(event), { signal });
    host.addEventListener("pointerup", (event) => this.up(event, false), { signal });
    host.addEventListener("pointercancel", (event) => this.up(event, true), { signal });
    host.addEventListener("pointerleave", () => this.doing || this.hover(null, 0, 0), { signal });
    host.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    host.addEventListener("contextmenu", (event) => this.menu(event), { signal });
    host.addEventListener("keydown", (event) => event.key === "Escape" && this.giveUp(), { signal });
  }

  close(): void {
    clearTimeout(this.holding);
    this.stop.abort();
  }

  private point(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const { left, top } = this.host.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private target(x: number, y: number): Target {
    const scene = this.stage.shownScene;
    const ground = { kind: "ground", x, y } as const;
    if (!scene) return ground;
    const node = nodeAt(scene.graph, scene.shown, this.stage.camera, x, y);
    if (node !== null) return { kind: "node", place: node };
    if (this.stage.isSlow && scene.graph.size > FAR && this.stage.camera.k < 0.3) return ground;
    const edge = edgeAt(scene.graph, scene.shown, this.stage.camera, x, y);
    return edge === null ? ground : { kind: "edge", place: edge };
  }

  private down(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.host.setPointerCapture(event.pointerId);
    const { x, y } = this.point(event);
    this.pointers.set(event.pointerId, { x, y });
    if (this.pointers.size === 2) {
      this.giveUp();
      this.doing = { kind: "pinch", ...this.spread() };
      return;
    }
    this.began = { x, y, hasMoved: false };
    const target = this.target(x, y);
    const scene = this.stage.shownScene;
    if (target.kind !== "node" || !scene) this.doing = { kind: "pan", x, y };
    else if (event.pointerType === "mouse" && isOnRim(scene.graph, this.stage.camera, target.place, x, y))
      this.doing = { kind: "link", from: target.place };
    else this.doing = { kind: "drag", node: target.place, from: this.stage.at(target.place) };
    if (event.pointerType !== "mouse")
      this.holding = setTimeout(() => {
        this.giveUp();
        this.events.onMenu(target, event.clientX, event.clientY);
      }, HELD_MS);
  }

  private move(event: PointerEvent): void {
    const { x, y } = this.point(event);
    if (!this.doing) {
      if (event.pointerType === "mouse") this.hover(this.target(x, y), x, y);
      return;
    }
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, { x, y });
    const [dx, dy] = [x - this.began.x, y - this.began.y];
    if (!this.began.hasMoved && Math.hypot(dx, dy) < A_CLICK_PX) return;
    if (!this.began.hasMoved) this.hover(null, x, y);
    this.began.hasMoved = true;
    clearTimeout(this.holding);
    const doing = this.doing;
    if (doing.kind === "pan") {
      this.stage.pan(x - doing.x, y - doing.y);
      this.doing = { kind: "pan", x, y };
    } else if (doing.kind === "drag") this.stage.drag(doing.node, doing.from.x + dx, doing.from.y + dy);
    else if (doing.kind === "link") this.draw(doing.from, x, y);
    else {
      const spread = this.spread();
      this.stage.pan(spread.x - doing.x, spread.y - doing.y);
      this.stage.zoom(spread.distance / (doing.distance || 1), spread.x, spread.y);
      this.doing = { kind: "pinch", ...spread };
    }
  }

  private up(event: PointerEvent, isCancelled: boolean): void {
    clearTimeout(this.holding);
    this.pointers.delete(event.pointerId);
    const doing = this.doing;
    if (!doing) return;
    this.doing = null;
    const { x, y } = this.point(event);
    if (isCancelled || doing.kind === "pinch") {
      this.stage.mark({ link: null });
      return;
    }
    if (!this.began.hasMoved) {
      this.stage.mark({ link: null });
      this.choose(this.target(x, y), event.timeStamp);
    } else if (doing.kind === "drag") {
      this.stage.stale();
      const graph = this.stage.shownScene?.graph;
      if (graph)
        this.events.onMoved(doing.node, graph.x[doing.node] as number, graph.y[doing.node] as number);
    } else if (doing.kind === "link") {
      const target = this.under(doing.from, x, y);
      this.stage.mark({ link: null });
      if (target !== null) this.events.onRelate(doing.from, target);
    }
  }

  private choose(target: Target, at: number): void {
    if (target.kind === "node") {
      const isAgain = target.place === this.clicked.node && at - this.clicked.at < TWICE_MS;
      this.clicked = { node: isAgain ? -1 : target.place, at };
      if (isAgain) {
        this.events.onOpen(target.place);
        return;
      }
    }
    this.events.onChoose(target);
  }

  private under(from: number, x: number, y: number): number | null {
    const scene = this.stage.shownScene;
    return scene ? nodeAt(scene.graph, scene.shown, this.stage.camera, x, y, from) : null;
  }

  private draw(from: number, x: number, y: number): void {
    this.stage.mark({ link: { from, x, y, to: this.under(from, x, y) } });
  }

  private giveUp(): void {
    clearTimeout(this.holding);
    const doing = this.doing;
    this.doing = null;
    if (doing?.kind === "drag" && this.began.hasMoved) {
      this.stage.drag(doing.node, doing.from.x, doing.from.y);
      this.stage.stale();
    }
    this.stage.mark({ link: null });
  }

  private spread(): { distance: number; x: number; y: number } {
    const [one, two] = [...this.pointers.values()];
    if (!one || !two) return { distance: 1, x: 0, y: 0 };
    return {
      distance: Math.hypot(one.x - two.x, one.y - two.y),
      x: (one.x + two.x) / 2,
      y: (one.y + two.y) / 2,
    };
  }

  private hover(target: Target | null, x: number, y: number): void {
    const scene = this.stage.shownScene;
    const node = target?.kind === "node" ? target.place : null;
    const isRim = node !== null && scene !== null && isOnRim(scene.graph, this.stage.camera, node, x, y);
    this.host.style.cursor = isRim ? "crosshair" : target && target.kind !== "ground" ? "pointer" : "";
    this.stage.mark({ hover: node, hoverEdge: target?.kind === "edge" ? target.place : null });
    this.events.onHover(target?.kind === "ground" ? null : target, x, y);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.point(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    this.hover(null, x, y);
    this.stage.zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) * 0.0022), x, y);
  }

  private menu(event: MouseEvent): void {
    event.preventDefault();
    if (this.doing) return;
    const { x, y } = this.point(event);
    this.events.onMenu(this.target(x, y), event.clientX, event.clientY);
  }
}
