import type { Config } from "@react-router/dev/config";

// Two apps are built from one checkout: the shop, and with IREPO_APP=office its back office.
export default {
  ssr: true,
  appDirectory: process.env.IREPO_APP === "office" ? "office" : "app",
  // scripts/build.ts gives each build a folder of its own.
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
  // The entries are named in vite.config.ts.
  serverBuildFile: "[name].js",
  // The route table is small: sending it whole costs less than a lazy look-up on a bad network.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
