import type { ReactNode } from "react";
import type { StoryEvent } from "../../client/rest";
import { Button } from "../../design/Button";
import { Choice, Select, Switch, TextField } from "../../design/Field";
import { useTexts } from "../../texts/language";
import { type Filter, type Party, peopleIn, placesIn } from "./events";
import type { Order } from "./lanes";
import styles from "./Timeline.module.css";
import { texts } from "./texts";

interface TimelineBarProps {
  all: readonly StoryEvent[];
  shownCount: number;
  filter: Filter;
  isDrawn: boolean;
  order: Order;
  /** The switch for whose point of view it is. */
  seenBy: ReactNode;
  onOrder(order: Order): void;
  onFilter(filter: Partial<Filter>): void;
  onDrawn(isDrawn: boolean): void;
  onNew(): void;
}

/** Which events are looked at, and how many there are. */
export function TimelineBar({
  all,
  shownCount,
  filter,
  isDrawn,
  order,
  seenBy,
  onOrder,
  onFilter,
  onDrawn,
  onNew,
}: TimelineBarProps) {
  const t = useTexts(texts);
  const options = (parties: readonly Party[], everything: string) => [
    { value: "", label: everything },
    ...parties.map(({ key, name, count }) => ({ value: key, label: `${name} (${count})` })),
  ];
  return (
    <header className={styles.bar}>
      <div className={styles.fields}>
        <TextField
          id="timeline-search"
          quiet
          label={t.search}
          type="search"
          placeholder={t.searchHint}
          value={filter.q}
          onChange={(event) => onFilter({ q: event.target.value })}
        />
        <Select
          quiet
          label={t.person}
          value={filter.person ?? ""}
          onChange={(person) => onFilter({ person: person || null })}
          options={options(peopleIn(all), t.everybody)}
        />
        <Select
          quiet
          label={t.place}
          value={filter.place ?? ""}
          onChange={(place) => onFilter({ place: place || null })}
          options={options(placesIn(all), t.everywhere)}
        />
      </div>
      <div className={styles.tools}>
        <Choice<Order>
          quiet
          label={t.order}
          value={order}
          onChange={onOrder}
          options={[
            { value: "told", label: t.asTold },
            { value: "happened", label: t.asHappened },
          ]}
        />
        {seenBy}
        <span className={styles.count} role="status">
          {t.counted(shownCount, all.length)}
        </span>
        <Switch label={t.outline} checked={filter.outline} onChange={(outline) => onFilter({ outline })} />
        <Button size="small" look="quiet" aria-pressed={isDrawn} onClick={() => onDrawn(!isDrawn)}>
          {isDrawn ? t.hidePicture : t.showPicture}
        </Button>
        <Button look="primary" size="small" icon="plus" onClick={onNew}>
          {t.newEvent}
        </Button>
      </div>
    </header>
  );
}
