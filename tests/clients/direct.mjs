export async function direct() {}
