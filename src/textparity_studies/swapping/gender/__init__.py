"""Determine the gender of an entity, by the paper's procedure and by the corrected one."""
