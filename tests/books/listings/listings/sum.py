# [sum]
total = 1
# [/sum]
# [twice]
# [/twice]
# [twice]
# [/twice]
# [open]
