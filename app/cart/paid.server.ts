/**
 * The part of the settlement's SQL statement that removes the paid units from the cart. Units added in the meantime
 * stay. `order` is the name of a row with user_id and lines.
 */
export function takeOutPaidSql(order: string): string {
  const isBought = `l.user_id = (select user_id from ${order})
       and (l.product_id, l.size, l.color) = (b.product_id, b.size, b.color)`;
  return `cart as (
     update carts set version = version + 1, updated_at = now() where user_id = (select user_id from ${order})
   ), bought as (
     select "productId" as product_id, size, color, quantity
     from ${order}, jsonb_to_recordset(lines) as l("productId" text, size text, color text, quantity integer)
   ), gone as (
     delete from cart_lines l using bought b where ${isBought} and l.quantity <= b.quantity
   ), fewer as (
     update cart_lines l set quantity = l.quantity - b.quantity from bought b where ${isBought} and l.quantity > b.quantity
   )`;
}
