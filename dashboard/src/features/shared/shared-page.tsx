export const SharedPage = () => <p>SharedPage</p>;
