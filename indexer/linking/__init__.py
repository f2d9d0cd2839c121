"""Linking: from what each chat and job says by itself to what they say of each other (DESIGN section 4).

Pure and in memory. `link.link` is the way in; `records` holds what goes out, `facts` what comes in.
"""
