import { expect, it } from "vitest";
import { said } from "../../texts/language";
import { calendarOf, shownDay, shownTime, texts } from "./calendar";

const [en, zh] = [said(texts, "en"), said(texts, "zh")];

it("counts days from day 0, and says the time of the day", () => {
  const days = calendarOf({});
  expect(shownDay(days, -3650, en)).toBe("day -3650");
  expect(shownDay(days, 2.5, zh)).toBe("第2天 12:00");
  expect(shownTime(days, { day: 3, label: "three days later" }, en)).toBe("three days later (day 3)");
});

it("shows dates from the date of day 0, leap days included", () => {
  const dates = calendarOf({ calendar: { kind: "gregorian", dayZero: "1928-02-28" } });
  expect(shownDay(dates, 1, en)).toBe("1928-02-29");
  expect(shownDay(dates, -58.5, en)).toBe("1927-12-31T12:00");
});

it("counts years within eras, and days before the first of them", () => {
  const eras = calendarOf({
    calendar: {
      kind: "eras",
      eras: [
        { name: "建安", firstDay: 0 },
        { name: "黄初", firstDay: 400 },
      ],
      yearDays: 360,
    },
  });
  expect(shownDay(eras, 361, zh)).toBe("建安2年第2天");
  expect(shownDay(eras, 400, en)).toBe("黄初 year 1, day 1");
  expect(shownDay(eras, -1, en)).toBe("day -1");
});

it("reads a calendar that cannot be understood as plain days", () => {
  expect(calendarOf({ calendar: { kind: "lunar" } }).kind).toBe("days");
  expect(calendarOf({ calendar: "days" }).kind).toBe("days");
});
