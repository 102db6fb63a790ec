"""Which layer is best, under which template, token pooling and calibrator?"""
