/** The shuffle and Fletcher-32 filters. */
package io.skerry.chunk.filter.basic;
