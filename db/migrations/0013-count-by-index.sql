-- Plans of functions are kept for a connection's life. One that was made while the table was empty reads the whole
-- table, and goes on to do so while carts are filled: on the day that a shop opens, each addition would cost more.

alter function count_cart_lines(text) set enable_seqscan = off;
