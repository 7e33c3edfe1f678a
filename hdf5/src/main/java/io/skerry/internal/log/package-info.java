/** A connector that logs each call to another one. */
package io.skerry.internal.log;
