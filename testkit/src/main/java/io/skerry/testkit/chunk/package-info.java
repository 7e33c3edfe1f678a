/** What every chunk format must do. */
package io.skerry.testkit.chunk;
