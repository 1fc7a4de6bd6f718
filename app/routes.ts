import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/**
 * Every page of the shop, in the specification's order. The case of paths is ignored; each page names its canonical
 * URL. The endpoints for the pages' scripts are in api.ts.
 */
export default [
  layout("routes/layout.tsx", [
    index("routes/home.tsx"),
    route("shop", "routes/shop.tsx"),
    route("singleProduct/:id", "routes/product.tsx"),
    route("collections/:id", "routes/collection.tsx"),
    route("checkout", "routes/checkout.tsx"),
    route("login", "routes/login.tsx"),
    route("register", "routes/register.tsx"),
    route("forgotPassword", "routes/forgot-password.tsx"),
    route("checkMail", "routes/check-mail.tsx"),
    route("resetPassword", "routes/reset-password.tsx"),
    route("verifyMail", "routes/verify-mail.tsx"),
    route("verification", "routes/verification.tsx"),
    route("signIn", "routes/sign-in-link.tsx"),
    route("account", "routes/account.tsx"),
    route("order/:reference", "routes/order.tsx"),
    route("order/:reference/return", "routes/order-return.tsx"),
    route("about", "routes/about.tsx"),
    route("returnpolicy", "routes/return-policy.tsx"),
    route("shipping-policy", "routes/shipping-policy.tsx"),
    route("privacy-policy", "routes/privacy-policy.tsx"),
    route("parentcomp", "routes/parentcomp.tsx"),
    route("subscribe", "routes/subscribe.tsx"),
    route("backInStock", "routes/back-in-stock.tsx"),
    route("demo/mail", "routes/demo-mail.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
  route("Cart", "routes/cart.tsx"),
  route("checkout/return", "routes/checkout-return.ts"),
  route("account/data", "routes/account-data.ts"),
  route("order/:reference/pictures/:id?", "routes/order-pictures.ts"),
  route("logout", "routes/logout.ts"),
  route("auth/google", "routes/google.tsx"),
  route("auth/google/callback", "routes/google-callback.tsx"),
  route("auth/google/password", "routes/google-password.tsx"),
  route("sitemap.xml", "routes/sitemap.ts"),
  route("robots.txt", "routes/robots.ts"),
  route(".well-known/security.txt", "routes/security-txt.ts"),
  route(".well-known/change-password", "routes/change-password.ts"),
  route("api/products", "routes/api.products.ts"),
  route("api/products/:id", "routes/api.product.ts"),
] satisfies RouteConfig;
