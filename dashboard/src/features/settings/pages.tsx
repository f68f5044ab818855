export const SettingsPage = () => <p>SettingsPage</p>;
