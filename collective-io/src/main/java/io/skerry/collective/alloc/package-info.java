/**
 * Addresses of encoded chunks: free blocks, collective late allocation, and chunks that are stored
 * but not published.
 */
package io.skerry.collective.alloc;
