export const LinkPage = () => <p>LinkPage</p>;
