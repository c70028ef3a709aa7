import type { ButtonHTMLAttributes } from "react";
import styles from "./Button.module.css";
import { Icon, type IconName } from "./icons";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: "plain" | "primary" | "danger" | "quiet";
  size?: "normal" | "small";
  icon?: IconName;
}

export function Button({ look = "plain", size = "normal", icon, className, children, ...rest }: ButtonProps) {
  const looks = [styles.button, styles[look], styles[size], children ? "" : styles.bare, className];
  return (
    <button type="button" {...rest} className={looks.filter(Boolean).join(" ")}>
      {icon && <Icon name={icon} size={size === "small" ? 16 : 18} />}
      {children}
    </button>
  );
}

/** A button that is only a drawing; its name is said and shown on hover. */
export function IconButton({
  label,
  ...rest
}: Omit<ButtonProps, "children"> & { label: string; icon: IconName }) {
  return <Button look="quiet" aria-label={label} title={label} {...rest} />;
}
