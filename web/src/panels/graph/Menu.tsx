import { useEffect, useRef } from "react";
import { Icon, type IconName } from "../../design/icons";
import styles from "./Menu.module.css";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  run(): void;
}

interface MenuProps {
  label: string;
  x: number;
  y: number;
  items: readonly MenuItem[];
  onClose(): void;
}

const WIDTH = 264;
const ROW = 38;

/** What can be done with the thing under the pointer. */
export function Menu({ label, x, y, items, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    menu.current?.querySelector("button")?.focus();
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) onClose();
    };
    window.addEventListener("pointerdown", leave, true);
    return () => window.removeEventListener("pointerdown", leave, true);
  }, [onClose]);
  const step = (by: number) => {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={styles.menu}
      style={{
        left: Math.max(8, Math.min(x, window.innerWidth - WIDTH - 8)),
        top: Math.max(8, Math.min(y, window.innerHeight - ROW * items.length - 24)),
      }}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "ArrowDown") step(1);
        else if (event.key === "ArrowUp") step(-1);
        else if (event.key === "Escape" || event.key === "Tab") onClose();
        else return;
        event.preventDefault();
      }}
    >
      {items.map(({ label: said, icon, isDangerous, run }) => (
        <button
          key={said}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={styles.item}
          data-danger={isDangerous || undefined}
          onClick={() => {
            onClose();
            run();
          }}
        >
          <Icon name={icon} size={16} />
          {said}
        </button>
      ))}
    </div>
  );
}
