import { View, Views } from "../frame/list-tools.tsx";

/** Tabs for the views of the products. */
export function ProductTabs({ current, out, few }: { current: "all" | "out" | "few"; out: number; few: number }) {
  return (
    <Views label="Views">
      <View to="/products" current={false}>
        List
      </View>
      <View to="/products/stock" current={current === "all"}>
        Stock
      </View>
      <View to="/products/stock?view=out" current={current === "out"} count={out}>
        Sold out
      </View>
      <View to="/products/stock?view=few" current={current === "few"} count={few}>
        Nearly out
      </View>
    </Views>
  );
}
