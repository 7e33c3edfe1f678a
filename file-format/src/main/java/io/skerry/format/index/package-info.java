/** Opens and creates chunk indexes; the single-chunk and implicit indexes. */
package io.skerry.format.index;
