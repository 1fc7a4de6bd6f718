import { View, Views } from "../frame/list-tools.tsx";

const PLACES = [
  { to: "/money", title: "Exchange rate" },
  { to: "/money/payments", title: "Payments" },
  { to: "/money/issues", title: "To check" },
  { to: "/money/takings", title: "Takings" },
  { to: "/money/receipts", title: "Receipts and VAT" },
] as const;

/** Tabs for the screens about money. `issues` is the number of open cases. */
export function MoneyTabs({ current, issues }: { current: (typeof PLACES)[number]["to"]; issues: number }) {
  return (
    <Views label="Money">
      {PLACES.map(({ to, title }) => (
        <View key={to} to={to} current={to === current} count={to === "/money/issues" ? issues : undefined}>
          {title}
        </View>
      ))}
    </Views>
  );
}
