// Shows the office's notifications (docs/decisions/062-notifications.md). Registered by a member's press on the button
// for them, and by nothing else. It keeps no page.

addEventListener("install", () => skipWaiting());

addEventListener("push", (event) => {
  const { title, ...rest } = messageIn(event.data);
  event.waitUntil(registration.showNotification(title, { ...rest, icon: "/icon-192.png" }));
});

/** The message as a notification. Browsers want one to be shown for each push, also for an unreadable one. */
function messageIn(data) {
  try {
    const { title, body, tag, path } = data.json();
    return { title, body, tag, data: { path } };
  } catch {
    return { title: "Irepo office" };
  }
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(addressOf(event.notification.data?.path)));
});

/** The address of a page of the office: no message leads anywhere else. */
function addressOf(path) {
  const url = URL.canParse(path ?? "/", location.origin) ? new URL(path ?? "/", location.origin) : undefined;
  return url?.origin === location.origin ? url.href : `${location.origin}/`;
}

/** Goes to the tab that shows the page, or opens it. Other tabs stay as they are: somebody may be typing there. */
async function show(address) {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === address);
  return tab ? tab.focus() : clients.openWindow(address);
}
