"""The `swapping` study (Nahurna and Romanyshyn 2025): gender swapping and balanced entity recognition for Ukrainian."""
