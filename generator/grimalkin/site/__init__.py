"""The site: its pages, and the preview in a browser that follows every change."""
