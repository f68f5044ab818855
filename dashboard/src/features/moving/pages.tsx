export const MovingPage = () => <p>MovingPage</p>;
