/** Opening, reading, writing and resizing of one dataset. */
package io.skerry.internal.dataset;
