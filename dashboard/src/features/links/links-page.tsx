export const LinksPage = () => <p>LinksPage</p>;
