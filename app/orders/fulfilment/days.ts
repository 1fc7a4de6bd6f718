const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** Days and times as they appear in sentences, in the time zone `zone`. The year is left out if it is that of `now`. */
export function dayWords(now: Date, zone: string) {
  const zoned = (time: Date) => Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone);
  const today = zoned(now).toPlainDate();
  const date = ({ day, month, year }: Temporal.PlainDate) =>
    `${day} ${MONTHS[month - 1]}${year === today.year ? "" : ` ${year}`}`;
  const day = (one: Temporal.PlainDate) => `${WEEKDAYS[one.dayOfWeek - 1]} ${date(one)}`;
  const dayOf = (time: Date) => day(zoned(time).toPlainDate());
  const clock = (time: Date) => zoned(time).toPlainTime().toString({ smallestUnit: "minute" });
  return {
    today,
    /** "Wednesday 25 November". */
    day,
    dayOf,
    /** "09:05". */
    clock,
    /** "Wednesday 25 November, 09:05". */
    dayAndTime: (time: Date) => `${dayOf(time)}, ${clock(time)}`,
    /** "today at 09:05" or "on Wednesday 25 November at 09:05". */
    since: (time: Date) =>
      `${zoned(time).toPlainDate().equals(today) ? "today" : `on ${dayOf(time)}`} at ${clock(time)}`,
    /** "between 27 November and 4 December". */
    between: (from: Temporal.PlainDate, to: Temporal.PlainDate) => `between ${date(from)} and ${date(to)}`,
  };
}
