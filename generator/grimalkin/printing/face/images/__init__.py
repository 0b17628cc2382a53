"""Pictures, drawings, icons and QR codes of faces."""
