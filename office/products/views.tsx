import { Fragment } from "react";
import type { ProductListView } from "#app/owner/catalog/product-list.server.ts";
import { useFilters, View, Views } from "../frame/list-tools.tsx";

export const PRODUCT_VIEW_NAMES = {
  all: "List",
  published: "Published",
  "sold-out": "Sold out",
  draft: "Drafts",
  "at-a-time": "At a time",
};

type Props = {
  current: ProductListView;
  counts: Record<ProductListView, number>;
  mayChange: boolean;
  maySeeSales: boolean;
};

/**
 * Tabs for the views of the products' list, the stock, sale prices, changes of prices, collections, kinds, size
 * guides and feeds. The filters stay set from view to view.
 */
export function ProductViews({ current, counts, mayChange, maySeeSales }: Props) {
  const filters = useFilters();
  return (
    <Views label="Views">
      {Object.entries(PRODUCT_VIEW_NAMES).map(([name, title]) => (
        <Fragment key={name}>
          <View
            to={filters.to("view", name === "all" ? "" : name)}
            current={current === name}
            count={counts[name as ProductListView]}
          >
            {title}
          </View>
          {name === "all" && (
            <View to="/products/stock" current={false}>
              Stock
            </View>
          )}
          {name === "all" && maySeeSales && (
            <View to="/products/prices" current={false}>
              Sale prices
            </View>
          )}
          {name === "all" && mayChange && (
            <View to="/products/prices/change" current={false}>
              Change prices
            </View>
          )}
          {name === "all" && (
            <View to="/collections" current={false}>
              Collections
            </View>
          )}
          {name === "all" && (
            <View to="/kinds" current={false}>
              Kinds
            </View>
          )}
          {name === "all" && (
            <View to="/size-guides" current={false}>
              Size guides
            </View>
          )}
          {name === "all" && (
            <View to="/feeds" current={false}>
              Feeds
            </View>
          )}
        </Fragment>
      ))}
    </Views>
  );
}
