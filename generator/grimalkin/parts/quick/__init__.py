"""The quick reference: the rules in short, on one screen."""
