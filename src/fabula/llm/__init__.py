"""Language models and embedders: the ports, and what stands behind them."""
