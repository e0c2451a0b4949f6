/** Tells the bridge which model to choose; the agent's command stands in its arguments. */
export const MODEL_VARIABLE = "RALPHD_ACP_MODEL";
