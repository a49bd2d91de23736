"""Makes a model that the service can serve of public data: one module a stage, see README.md."""
